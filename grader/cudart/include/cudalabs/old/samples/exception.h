#pragma once
#include <exception>
#include <iostream>
#include <stdexcept>
