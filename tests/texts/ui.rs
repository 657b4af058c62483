//! What a user reads for each mistake: one small program with one mistake each, and the exact messages.
//!
//! `TRYBUILD=overwrite cargo test --test texts ui` writes the messages anew; read the difference as a user would.

#[test]
fn every_mistake_gets_one_message_at_its_place() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
