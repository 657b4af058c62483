//! The entry from generated code into this crate: what is trusted because `lift!` wrote it.
//!
//! A [`Program`] is plain data and a [`Kernel`] is any function: whoever can write a literal can make both.
//! The compiler of `lift!` proves that they belong together and access nothing but the elements of their
//! arrays; nothing here can check it. So there is one way in, [`Generated::new`], and it is `unsafe`.
//! Everything after it is safe, whatever is passed.

use crate::host::Kernel;
use crate::program::Program;

/// A program with its kernels as functions for the host.
#[derive(Debug, Clone, Copy)]
pub struct Generated<'a> {
    program: &'static Program,
    host: &'a [Kernel],
}

impl<'a> Generated<'a> {
    /// A program with its kernels as functions for the host, in the order of the kernels of its
    /// [plain form](Program::plain); a program
    /// without such functions has an empty list.
    ///
    /// # Safety
    /// For arguments of the program's types, whose sizes satisfy its equations, minimums and obligations, and
    /// for launches that its [`Kernel`](crate::program::Kernel)s allow:
    ///
    /// - where the guards of a form hold, its kernels access only elements that their arrays have, and no two
    ///   work-items access one element without a barrier between them unless both only read it;
    /// - no two threads of a function for the host access one element of a [`Shared`](crate::host::Shared) at
    ///   the same time unless both only read it.
    ///
    /// `lift!` prints only such programs. Nobody else has a reason to call this.
    #[allow(unsafe_code, reason = "what is promised here cannot be checked")]
    pub const unsafe fn new(program: &'static Program, host: &'a [Kernel]) -> Generated<'a> {
        Generated { program, host }
    }

    /// The description.
    pub(crate) fn program(self) -> &'static Program {
        self.program
    }

    /// The kernels as functions.
    pub(crate) fn host(self) -> &'a [Kernel] {
        self.host
    }
}
