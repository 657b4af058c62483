//! Scalars and vectors that are passed by value.

/// The bits of a scalar, by width, or of a vector of at most 16 scalars.
#[derive(Debug, Clone)]
pub(crate) enum Bits {
    Bits8(u8),
    Bits16(u16),
    Bits32(u32),
    Bits64(u64),
    /// The number of bytes, and the bytes, aligned like the largest vector of a device.
    Bytes(usize, Box<AlignedBytes>),
}

/// The bytes of the largest vector.
#[derive(Debug, Clone, Copy)]
#[repr(align(128))]
pub(crate) struct AlignedBytes(pub(crate) [u8; 128]);

impl Bits {
    /// The bytes of the element or of the components.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Bits::Bits8(bits) => std::slice::from_ref(bits),
            Bits::Bits16(bits) => bytemuck::bytes_of(bits),
            Bits::Bits32(bits) => bytemuck::bytes_of(bits),
            Bits::Bits64(bits) => bytemuck::bytes_of(bits),
            Bits::Bytes(count, aligned) => aligned.0.get(..*count).unwrap_or_default(),
        }
    }

    /// The bits of one element (1, 2, 4 or 8 bytes) or of a vector (up to 128 bytes).
    pub(crate) fn from_bytes(bytes: &[u8]) -> Bits {
        match *bytes {
            [byte] => Bits::Bits8(byte),
            [a, b] => Bits::Bits16(u16::from_ne_bytes([a, b])),
            [a, b, c, d] => Bits::Bits32(u32::from_ne_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => Bits::Bits64(u64::from_ne_bytes([a, b, c, d, e, f, g, h])),
            ref bytes => {
                let mut all = [0; 128];
                all.iter_mut().zip(bytes).for_each(|(place, &byte)| *place = byte);
                Bits::Bytes(bytes.len(), Box::new(AlignedBytes(all)))
            }
        }
    }
}
