// tex, tld4, suld and sust: textures and surfaces by objects.

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/lower/lowering.h"
#include "grader/sim/ops/memory/texture_ops.h"

namespace cudalabs::sim {
namespace {

using ptx::Mod;
using ptx::OperandKind;
using Kind = TextureOp::Kind;

/// Sets the shape of the texture from the instruction's modifier.
void take_shape(const ptx::Instruction& in, TextureOp& op) {
  if (in.has(Mod::Samples) || in.has(Mod::LayeredSamples)) throw Refusal{msg::texture_samples_unsupported()};
  op.cube = in.has(Mod::Cube) || in.has(Mod::LayeredCube);
  op.layered = in.has(Mod::Layered1) || in.has(Mod::Layered2) || in.has(Mod::LayeredCube);
  const bool one = in.has(Mod::Dim1) || in.has(Mod::Layered1),
             two = in.has(Mod::Dim2) || in.has(Mod::Layered2);
  op.dimensions = one ? 1 : two ? 2 : 3;
}

TextureOp::Boundary boundary_of(const ptx::Instruction& in) {
  return in.has(Mod::Clamp)  ? TextureOp::Boundary::Clamp
         : in.has(Mod::Zero) ? TextureOp::Boundary::Zero
                             : TextureOp::Boundary::Trap;
}

}  // namespace

void Lowering::texture(const ptx::Instruction& in) {
  const bool store = in.op == ptx::Op::Sust, surface = store || in.op == ptx::Op::Suld;
  TextureOp op;
  op.kind = store                    ? Kind::SurfaceStore
            : surface                ? Kind::SurfaceLoad
            : in.op == ptx::Op::Tld4 ? Kind::Gather
                                     : Kind::Read;
  take_shape(in, op);
  if (surface) {
    op.boundary = boundary_of(in);
    op.element_bytes = static_cast<std::uint8_t>(ptx::size_of(in.type()));
    op.count = static_cast<std::uint8_t>(in.vector_width());
    if (op.element_bytes * op.count > 16) throw Refusal{msg::surface_element_too_wide()};
  } else {
    op.whole = in.types.back() != ptx::Type::F32;
    op.component = in.has(Mod::A) ? 3 : in.has(Mod::B) ? 2 : in.has(Mod::G) ? 1 : 0;
    // A texture without mipmaps has a single level, whatever level is requested.
    const std::size_t more = in.has(Mod::Level) ? 1 : in.has(Mod::Grad) ? 2 : 0;
    if (in.operands.size() != 2 + more)
      throw Refusal{msg::texture_offset_unsupported(), msg::add_offset_hint()};
    if (in.has(Mod::Base)) throw Refusal{msg::mipmap_unsupported()};
    if (op.whole && (op.dimensions != 1 || op.layered || op.cube || more != 0))
      throw Refusal{msg::texture_whole_coordinates()};
    if (op.kind == Kind::Gather && (op.dimensions != 2 || op.layered || op.cube))
      throw Refusal{msg::texture_gather_dimensions()};
  }

  const auto value = [&](const ptx::Operand& o, ptx::Type type) {
    if (o.kind == OperandKind::Register) {
      const ptx::Type held = function_.registers[o.reg].type;
      const bool fits = held != ptx::Type::Pred && ptx::size_of(held) == ptx::size_of(type);
      if (!fits) throw Refusal{msg::texture_register_size()};
    } else if (o.kind != OperandKind::Immediate) {
      throw Refusal{msg::texture_by_name(), msg::use_texture_objects_hint()};
    }
    return read(o, type);
  };
  const ptx::Operand& object = operand(in, store ? 0 : 1);
  if (object.kind != OperandKind::Vector || object.elements.size() < 2)
    throw Refusal{msg::texture_operands_missing()};
  const ptx::Type coordinate = surface || op.whole ? ptx::Type::S32 : ptx::Type::F32;
  std::size_t next = 0;
  const auto take = [&](ptx::Type type) {
    if (next >= object.elements.size()) throw Refusal{msg::texture_coordinate_missing()};
    return value(object.elements[next++], type);
  };
  op.object = take(ptx::Type::U64);
  if (op.layered) op.layer = take(ptx::Type::U32);
  for (std::size_t axis = 0; axis < op.dimensions; ++axis) op.coordinates[axis] = take(coordinate);

  // Registers of bytes are 16 bits wide.
  const ptx::Operand& data = operand(in, store ? 1 : 0);
  const std::span<const ptx::Operand> registers =
      data.kind == OperandKind::Vector ? std::span(data.elements) : std::span(&data, 1);
  if (registers.size() != op.count) throw Refusal{msg::vector_size_wrong()};
  for (std::size_t e = 0; e < registers.size(); ++e) {
    const ptx::Operand& o = registers[e];
    if (o.kind == OperandKind::Register) {
      const ptx::Type held = function_.registers[o.reg].type;
      const bool fits = held != ptx::Type::Pred && is_wide(o.reg) == (op.element_bytes == 8) &&
                        ptx::size_of(held) >= op.element_bytes;
      if (!fits) throw Refusal{msg::element_register_size()};
      op.data[e] = reg(o);
    } else if (store && o.kind == OperandKind::Immediate) {
      op.data[e] = read(o, in.type());
    } else {
      throw Refusal{msg::registers_expected()};
    }
  }
  const Handler handler = surface ? surface_handler() : texture_handler();
  program_.textures.push_back(op);
  Inst& i = emit(HandlerPair{handler, handler}, Flow::Checked);
  i.extra = static_cast<std::uint32_t>(program_.textures.size() - 1);
}

}  // namespace cudalabs::sim
