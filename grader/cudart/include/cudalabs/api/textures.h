#pragma once
// Textures and surfaces, as parameters of the runtime's functions.

#include "cudalabs/api/memory.h"

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};
typedef enum cudaSurfaceBoundaryMode cudaSurfaceBoundaryMode;

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };
typedef enum cudaSurfaceFormatMode cudaSurfaceFormatMode;

typedef unsigned long long cudaSurfaceObject_t;
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
typedef enum cudaTextureAddressMode cudaTextureAddressMode;

enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
typedef enum cudaTextureFilterMode cudaTextureFilterMode;

enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
typedef enum cudaTextureReadMode cudaTextureReadMode;

struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};
typedef struct cudaTextureDesc cudaTextureDesc;

typedef unsigned long long cudaTextureObject_t;
