//! Tables of remembered answers.
//!
//! Expressions keep their hashes, so that looking one up compares it with hardly any other. Nothing may
//! depend on the order of entries, so nobody walks over them.
//!
//! The tables of the standard library probe several places at once. Procedural macros are built without
//! optimisation, where that takes hundreds of instructions for each question. So these probe one place after
//! the other, and most are so small that they are searched from the front.

use std::mem;

use super::summary::mix;

/// The largest number of entries that are searched from the front.
const FEW: usize = 8;
/// The first number of places, a power of two.
const FIRST_PLACES: usize = 64;

/// What a table remembers answers for.
pub(crate) trait Hashed: Eq {
    /// A number that is the same for equal values, and most often another one for others. It does not depend
    /// on the build.
    fn kept_hash(&self) -> u64;
}

/// The answers to questions.
pub(crate) struct Memo<Question, Answer> {
    entries: Vec<Entry<Question, Answer>>,
    /// Where the entries are, each counted from 1, and 0 where there is none; empty as long as there are few
    /// entries. An entry stands in the place that its hash says, or else in the first free one behind it.
    /// Their number is a power of two, and at most half are taken.
    places: Vec<u32>,
}

struct Entry<Question, Answer> {
    hash: u64,
    question: Question,
    answer: Answer,
}

impl<Question, Answer> Default for Memo<Question, Answer> {
    fn default() -> Self {
        Memo { entries: Vec::new(), places: Vec::new() }
    }
}

impl<Question: Hashed, Answer> Memo<Question, Answer> {
    /// The answer to a question.
    pub(crate) fn get(&self, question: &Question) -> Option<&Answer> {
        match self.find(question.kept_hash(), question) {
            Some(position) => Some(&self.entries.as_slice()[position].answer),
            None => None,
        }
    }

    /// Remembers an answer. Returns the one that was known before.
    pub(crate) fn insert(&mut self, question: Question, answer: Answer) -> Option<Answer> {
        let hash = question.kept_hash();
        match self.find(hash, &question) {
            Some(position) => {
                let known = &mut self.entries.as_mut_slice()[position].answer;
                Some(mem::replace(known, answer))
            }
            None => {
                self.push(Entry { hash, question, answer });
                None
            }
        }
    }

    /// The answer to a question, which is found if it is not known.
    pub(crate) fn get_or_insert_with(
        &mut self,
        question: &Question,
        answer: impl FnOnce() -> Answer,
    ) -> &mut Answer
    where
        Question: Clone,
    {
        let hash = question.kept_hash();
        let position = match self.find(hash, question) {
            Some(position) => position,
            None => {
                self.push(Entry { hash, question: question.clone(), answer: answer() });
                self.entries.len() - 1
            }
        };
        &mut self.entries.as_mut_slice()[position].answer
    }

    /// Forgets all answers.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.places.clear();
    }

    /// The number of answers.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The position of the entry with a question.
    fn find(&self, hash: u64, question: &Question) -> Option<usize> {
        let (entries, places) = (self.entries.as_slice(), self.places.as_slice());
        if places.is_empty() {
            let mut position = 0;
            while position < entries.len() {
                let entry = &entries[position];
                if entry.hash == hash && entry.question == *question {
                    return Some(position);
                }
                position += 1;
            }
            return None;
        }
        let last = places.len() - 1;
        let mut place = hash as usize & last;
        loop {
            let number = places[place];
            if number == 0 {
                return None;
            }
            let position = number as usize - 1;
            let entry = &entries[position];
            if entry.hash == hash && entry.question == *question {
                return Some(position);
            }
            place = (place + 1) & last;
        }
    }

    /// Adds an entry with a question that no entry has.
    fn push(&mut self, entry: Entry<Question, Answer>) {
        let hash = entry.hash;
        self.entries.push(entry);
        let count = self.entries.len();
        if count <= FEW {
            return;
        }
        if count * 2 > self.places.len() {
            self.spread_out();
        } else {
            take_place(self.places.as_mut_slice(), hash, count);
        }
    }

    /// Gives all entries places among more of them.
    fn spread_out(&mut self) {
        let count = (self.places.len() * 4).max(FIRST_PLACES);
        self.places = vec![0; count];
        let (entries, places) = (self.entries.as_slice(), self.places.as_mut_slice());
        let mut position = 0;
        while position < entries.len() {
            take_place(places, entries[position].hash, position + 1);
            position += 1;
        }
    }
}

/// Notes where an entry is; `number` counts from 1.
fn take_place(places: &mut [u32], hash: u64, number: usize) {
    let last = places.len() - 1;
    let mut place = hash as usize & last;
    while places[place] != 0 {
        place = (place + 1) & last;
    }
    places[place] = number as u32;
}

impl Hashed for usize {
    fn kept_hash(&self) -> u64 {
        mix(0, *self as u64)
    }
}

impl<A: Hashed, B: Hashed> Hashed for (A, B) {
    fn kept_hash(&self) -> u64 {
        mix(mix(0, self.0.kept_hash()), self.1.kept_hash())
    }
}

impl<A: Hashed, B: Hashed, C: Hashed> Hashed for (A, B, C) {
    fn kept_hash(&self) -> u64 {
        mix(mix(mix(0, self.0.kept_hash()), self.1.kept_hash()), self.2.kept_hash())
    }
}

impl<A: Hashed> Hashed for Option<A> {
    fn kept_hash(&self) -> u64 {
        match self {
            Some(value) => value.kept_hash(),
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of which many have one hash.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Alike(usize);

    impl Hashed for Alike {
        fn kept_hash(&self) -> u64 {
            (self.0 % 5) as u64
        }
    }

    #[test]
    fn every_answer_is_found_again() {
        let mut memo = Memo::default();
        for number in 0..500 {
            assert_eq!(memo.get(&Alike(number)), None);
            assert_eq!(memo.insert(Alike(number), number * number), None);
            assert_eq!(memo.get(&Alike(number / 2)), Some(&(number / 2 * (number / 2))));
        }
        assert_eq!(memo.insert(Alike(7), 1), Some(49));
        assert_eq!(*memo.get_or_insert_with(&Alike(7), || 2), 1);
        assert_eq!(*memo.get_or_insert_with(&Alike(500), || 2), 2);
        assert_eq!(memo.len(), 501);
        memo.clear();
        assert_eq!(memo.get(&Alike(7)), None);
    }
}
