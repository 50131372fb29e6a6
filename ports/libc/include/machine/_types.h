/* Types of the system's that are wider here than in newlib's own header. */
#ifndef _MACHINE__TYPES_H
#define _MACHINE__TYPES_H

#include <machine/_default_types.h>

typedef unsigned long long __ino_t;
#define __machine_ino_t_defined
typedef unsigned int __dev_t;
#define __machine_dev_t_defined
typedef unsigned int __uid_t;
#define __machine_uid_t_defined
typedef unsigned int __gid_t;
#define __machine_gid_t_defined

#endif
