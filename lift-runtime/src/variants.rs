//! The methods of a compiled kernel that give the same kernel, compiled, computed or launched in another way.
//!
//! They are the same for every kernel: an expansion only names them, which keeps it small.

/// The methods. They stand in an `impl` of a struct whose only field is `compiled`, the
/// [`Compiled`](crate::__private::Compiled) program.
#[doc(hidden)]
#[macro_export]
macro_rules! __variants {
    () => {
        /// The forms of this kernel, in the order in which a call tries them. The last one is `plain`.
        #[must_use]
        pub fn forms(&self) -> ::std::vec::Vec<$crate::KernelForm> {
            self.compiled.forms()
        }

        /// The same kernel, always in the form with this name.
        pub fn form(self, name: &::core::primitive::str) -> $crate::Result<Self> {
            ::core::result::Result::Ok(Self { compiled: self.compiled.form(name)? })
        }

        /// The same kernel with the sizes of each call as constants: it is compiled once more for each
        /// combination of sizes, at its first call with them. By default, constants are tried only if the
        /// kernel runs for long with the same sizes, and kept only if they are faster. On the host it changes
        /// nothing.
        #[must_use]
        pub fn specialised(self) -> Self {
            Self { compiled: self.compiled.specialised() }
        }

        /// The same kernel with its sizes as arguments: it is compiled once, and nothing is tried. On the
        /// host it changes nothing.
        #[must_use]
        pub fn unspecialised(self) -> Self {
            Self { compiled: self.compiled.unspecialised() }
        }

        /// The same kernel with these numbers of work-items in each launch, and in each group, dimension 0
        /// first; dimensions that are left out have one work-item. It is for kernels with `#[launch(any)]`;
        /// all others are compiled for one launch, and this is an error for them. If a program runs as
        /// several kernels, this is for each of them. On the host it changes nothing.
        pub fn launch(
            self,
            global: &[::core::primitive::usize],
            local: &[::core::primitive::usize],
        ) -> $crate::Result<Self> {
            ::core::result::Result::Ok(Self { compiled: self.compiled.launch(global, local)? })
        }

        /// The same for one of several kernels, by its name in `SOURCE`.
        pub fn launch_of(
            self,
            kernel: &::core::primitive::str,
            global: &[::core::primitive::usize],
            local: &[::core::primitive::usize],
        ) -> $crate::Result<Self> {
            ::core::result::Result::Ok(Self { compiled: self.compiled.launch_of(kernel, global, local)? })
        }
    };
}
