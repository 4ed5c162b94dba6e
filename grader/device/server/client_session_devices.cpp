// The part of ClientSession that handles several devices.

#include "grader/device/server/client_session.h"

#include "grader/device/server/current_work.h"
#include "grader/diagnostics/messages/device.h"

namespace cudalabs {

using namespace protocol;

Status ClientSession::on_choose_device(const ChooseDevice& message) {
  if (message.device >= peers_.size()) return {CudaError::InvalidDevice, msg::device_unknown()};
  chosen_ = message.device;
  if (group_ != nullptr) group_->choose(chosen_);
  return {};
}

Status ClientSession::on_set_peer_access(const SetPeerAccess& message) {
  if (!health().ok()) return health();
  if (message.peer >= peers_.size()) return {CudaError::InvalidDevice, msg::device_unknown()};
  const bool is = sim::holds(peers_[chosen_], message.peer);
  if (message.enabled && message.peer == chosen_)
    return {CudaError::PeerAccessUnsupported, msg::peer_access_to_itself(chosen_)};
  if (message.enabled && is)
    return {CudaError::PeerAccessAlreadyEnabled, msg::peer_access_enabled(chosen_, message.peer)};
  if (!message.enabled && !is) {
    return {CudaError::PeerAccessNotEnabled, msg::peer_access_not_enabled(chosen_, message.peer)};
  }
  peers_[chosen_] ^= sim::DeviceMask{1} << message.peer;
  if (group_ != nullptr) group_->set_peer_access(chosen_, message.peer, message.enabled);
  return {};
}

Status ClientSession::on_grant(const Grant& message) {
  if (!health().ok()) return health();
  const auto found = ranges_.find(message.pointer);
  if (found == ranges_.end() || found->second.owner != Owner::Client)
    return {CudaError::InvalidValue, msg::no_allocation_begins()};
  if (group_ != nullptr && message.devices != 0) group_->grant(message.pointer, message.devices);
  return {};
}

Answer<std::shared_ptr<DeviceModule>> ClientSession::on_chosen_device(LoadedModule& module) {
  if (group_ == nullptr) return answer(module.module);
  std::shared_ptr<DeviceModule>& here = module.by_device[chosen_];
  if (here == nullptr) {
    const Doing loading(DeviceWork::Loading);
    auto loaded = group_->load(module.image, module.managed, module.module.get());
    if (!loaded.ok()) return loaded;
    here = std::move(loaded.value);
    for (const sim::VariableInfo& variable : here->variables()) {
      if (variable.size != 0) ranges_[variable.address] = {variable.size, Owner::Module};
    }
  }
  return answer(here);
}

void ClientSession::forget_peer_access(std::uint32_t device) {
  for (std::uint32_t peer = 0; peer < peers_.size(); ++peer) {
    if (sim::holds(peers_[device], peer)) group_->set_peer_access(device, peer, false);
  }
  peers_[device] = 0;
}

}  // namespace cudalabs
