#pragma once
// Annotations for a profiler, which have no effect here.

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration* nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN,
  NVTX_MESSAGE_TYPE_ASCII,
  NVTX_MESSAGE_TYPE_UNICODE,
  NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
  NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

static inline void nvtxMarkA(const char*) {}
static inline void nvtxMarkEx(const nvtxEventAttributes_t*) {}
static inline int nvtxRangePushA(const char*) { return 0; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t*) { return 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartA(const char*) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) { return 0; }
static inline void nvtxRangeEnd(nvtxRangeId_t) {}
static inline void nvtxNameOsThreadA(uint32_t, const char*) {}
static inline void nvtxNameCategoryA(uint32_t, const char*) {}
static inline nvtxDomainHandle_t nvtxDomainCreateA(const char*) { return 0; }
static inline void nvtxDomainDestroy(nvtxDomainHandle_t) {}
static inline void nvtxInitialize(const void*) {}
static inline void nvtxDomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {}
static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {
  return 0;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t) {}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t, uint32_t, const char*) {}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t, const char*) { return 0; }
static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 0; }
static inline int nvtxDomainRangePop(nvtxDomainHandle_t) { return 0; }
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
