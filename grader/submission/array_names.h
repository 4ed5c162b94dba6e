#pragma once
// Names the arrays of messages: a device knows the numbers of a kernel's parameters, the source has their
// names.

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace cudalabs {

/// The names of the parameters of `kernel` ("void scale<4>(float*, int)") in the only definition or
/// declaration of a __global__ function that has this name and as many parameters. An unnamed parameter is
/// "". Empty: there is none, or several differ. Macros are not expanded.
std::vector<std::string> parameter_names(std::string_view source, std::string_view kernel);

/// Puts the names of parameters into the messages that name arrays by their numbers (msg::array_element,
/// array_name and memory_parameter), and of variables into those about unset ones, unless the sources name
/// them differently.
Messages with_array_names(const Messages& messages, const std::vector<std::string_view>& sources);
Message with_array_names(const Message& message, const std::vector<std::string_view>& sources);

}  // namespace cudalabs
