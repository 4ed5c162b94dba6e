#pragma once
void apply_there(int* device);
int devices_and(int x);
extern "C" int in_c(int x);
