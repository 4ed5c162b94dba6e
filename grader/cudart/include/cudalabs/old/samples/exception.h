#pragma once
#include <exception>
#include <stdexcept>
#include <iostream>
