#define DEEP 100
