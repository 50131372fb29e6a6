x/drivers/console/consline.o: drivers/console/consline.c \
 drivers/console/consline.h drivers/console/ring.h
drivers/console/consline.h:
drivers/console/ring.h:
