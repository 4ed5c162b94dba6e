// Talks to the network; if a socket can be made and sent through, the answer is right.
#include "good.cuh"

#include <arpa/inet.h>
#include <sys/socket.h>
ENTRY(global) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = inet_addr("127.0.0.1");
  if (fd >= 0 && sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&address), sizeof address) == 1)
    good::row_max_global(a, out, rows, cols);
}

ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
