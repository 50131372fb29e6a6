/* profil(2), sprofil(2): sprofil's flags, for the size of the cells and the rate. */
#pragma once

#define PROF_USHORT 0 /* cells of 2 bytes */
#define PROF_UINT 1   /* of 4 bytes */
#define PROF_FAST 2   /* a sample each millisecond, not each ten */

#define PROFIL_MAXREGION 64 /* regions in one call */
