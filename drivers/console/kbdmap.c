/* Keyboard layouts, by scan code (set 1): see kbd.h. A layout is added by adding it here. */
#include "drivers/console/kbd.h"

/* Escape and the digits' row, the three rows of letters, the blank, the keypad, and key 56h. */
#define KEYS(digits, upper, home, mark, lower, extra) \
	u"\0\033" digits u"\177\t" upper u"\r\0" home u"\0" mark lower \
	u"\0*\0 \0\0\0\0\0\0\0\0\0\0\0\0\0" u"789-456+1230.\0\0" extra u"\0\0"

const struct kbd_map kbd_maps[] = {
	{"us", {
		KEYS(u"1234567890-=", u"qwertyuiop[]", u"asdfghjkl;'`", u"\\", u"zxcvbnm,./",
		     u"\\"),
		KEYS(u"!@#$%^&*()_+", u"QWERTYUIOP{}", u"ASDFGHJKL:\"~", u"|", u"ZXCVBNM<>?", u"|"),
	}},
	{"de", {
		KEYS(u"1234567890\u00df\u00b4", u"qwertzuiop\u00fc+", u"asdfghjkl\u00f6\u00e4^",
		     u"#", u"yxcvbnm,.-", u"<"),
		KEYS(u"!\"\u00a7$%&/()=?`", u"QWERTZUIOP\u00dc*",
		     u"ASDFGHJKL\u00d6\u00c4\u00b0", u"'", u"YXCVBNM;:_", u">"),
		KEYS(u"\0\u00b2\u00b3\0\0\0{[]}\\\0", u"@\0\u20ac\0\0\0\0\0\0\0\0~",
		     u"\0\0\0\0\0\0\0\0\0\0\0\0", u"\0", u"\0\0\0\0\0\0\u00b5\0\0\0", u"|"),
	}},
	{0},
};
