//! Flat sets and maps: sorted lists, with the interface of the standard library's trees.
//!
//! What the compiler collects is small: the names that a statement mentions, the bounds of an atom. Procedural
//! macros are built without optimisation, where a tree costs several hundred instructions even if it stays
//! empty, and a list next to none. Like a tree, and unlike a hash table, it is walked in the order of its
//! keys, so that nothing depends on chance. To insert in the middle moves what comes behind: do not build a
//! table of many thousands of entries in random order.
//!
//! Invariant: the keys ascend strictly.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::iter::Map;
use std::slice::Iter;

/// A set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlatSet<T>(Vec<T>);

/// A map.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlatMap<K, V>(Vec<(K, V)>);

/// A walk over the keys of a map with their values.
pub type Entries<'a, K, V> = Map<Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;
/// A walk over the keys of a map.
pub type Keys<'a, K, V> = Map<Iter<'a, (K, V)>, fn(&'a (K, V)) -> &'a K>;
/// A walk over the values of a map.
pub type Values<'a, K, V> = Map<Iter<'a, (K, V)>, fn(&'a (K, V)) -> &'a V>;

/// The position of a key in a list that ascends by it, or where it would have to be inserted. It stands where
/// it is called: without optimisation, what names the key of an entry would be a function of its own.
macro_rules! position {
    ($entries:expr, $key:expr, $entry:ident => $key_of:expr) => {{
        let entries = $entries.as_slice();
        let (mut first, mut end) = (0, entries.len());
        loop {
            if first == end {
                break Err(first);
            }
            let middle = first + (end - first) / 2;
            let $entry = &entries[middle];
            match $key_of.cmp($key) {
                Ordering::Less => first = middle + 1,
                Ordering::Equal => break Ok(middle),
                Ordering::Greater => end = middle,
            }
        }
    }};
}

impl<T: Ord> FlatSet<T> {
    /// The empty set.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    fn find<Q: Ord + ?Sized>(&self, value: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        position!(self.0, value, entry => entry.borrow())
    }

    /// Whether the value is in the set.
    pub fn contains<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.find(value).is_ok()
    }

    /// Adds a value. Returns whether it was not there.
    pub fn insert(&mut self, value: T) -> bool {
        match self.find(&value) {
            Ok(_) => false,
            Err(position) => {
                self.0.insert(position, value);
                true
            }
        }
    }

    /// Removes a value. Returns whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let found = self.find(value);
        if let Ok(position) = found {
            self.0.remove(position);
        }
        found.is_ok()
    }

    /// The values that are in this set and not in the other one.
    pub fn difference<'s>(&'s self, other: &'s FlatSet<T>) -> impl Iterator<Item = &'s T> {
        self.0.iter().filter(|value| !other.contains(*value))
    }

    /// The values that are in both sets.
    pub fn intersection<'s>(&'s self, other: &'s FlatSet<T>) -> impl Iterator<Item = &'s T> {
        self.0.iter().filter(|value| other.contains(*value))
    }

    /// Whether no value is in both sets.
    pub fn is_disjoint(&self, other: &FlatSet<T>) -> bool {
        let (few, many) = if self.0.len() <= other.0.len() { (self, other) } else { (other, self) };
        !few.0.iter().any(|value| many.contains(value))
    }

    /// Whether all values are in the other set, too.
    pub fn is_subset(&self, other: &FlatSet<T>) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().all(|value| other.contains(value))
    }
}

impl<T> FlatSet<T> {
    /// The values, in order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.0.iter()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The least value.
    pub fn first(&self) -> Option<&T> {
        self.0.first()
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the values that are wanted.
    pub fn retain(&mut self, is_wanted: impl FnMut(&T) -> bool) {
        self.0.retain(is_wanted);
    }
}

impl<K: Ord, V> FlatMap<K, V> {
    /// The empty map.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        position!(self.0, key, entry => entry.0.borrow())
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match self.find(key) {
            Ok(position) => Some(&self.0.as_slice()[position].1),
            Err(_) => None,
        }
    }

    /// The value of a key, to change it.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let position = self.find(key).ok()?;
        self.0.get_mut(position).map(|(_, value)| value)
    }

    /// Whether the key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Gives a key a value. Returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(position) => Some(std::mem::replace(&mut self.0[position].1, value)),
            Err(position) => {
                self.0.insert(position, (key, value));
                None
            }
        }
    }

    /// Removes a key. Returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let position = self.find(key).ok()?;
        Some(self.0.remove(position).1)
    }

    /// The value of a key, which it gets where it has none.
    pub fn get_or_insert_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        let position = match self.find(&key) {
            Ok(position) => position,
            Err(position) => {
                self.0.insert(position, (key, value()));
                position
            }
        };
        &mut self.0[position].1
    }

    /// The value of a key, which is the default one where it has none.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.get_or_insert_with(key, V::default)
    }
}

impl<K, V> FlatMap<K, V> {
    /// The keys with their values, in the order of the keys.
    pub fn iter(&self) -> Entries<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// The least key, with its value.
    pub fn first(&self) -> Option<(&K, &V)> {
        self.0.first().map(|(key, value)| (key, value))
    }

    /// The keys, in order.
    pub fn keys(&self) -> Keys<'_, K, V> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The values, in the order of the keys.
    pub fn values(&self) -> Values<'_, K, V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// The values, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// The values.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the keys that are wanted.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| is_wanted(key, value));
    }
}

impl<T> Default for FlatSet<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K, V> Default for FlatMap<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: fmt::Debug> fmt::Debug for FlatSet<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(&self.0).finish()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for FlatMap<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl<T: Ord> Extend<T> for FlatSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        for value in values {
            self.insert(value);
        }
    }
}

impl<'a, T: Ord + Copy + 'a> Extend<&'a T> for FlatSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, values: I) {
        for value in values {
            self.insert(*value);
        }
    }
}

impl<K: Ord, V> Extend<(K, V)> for FlatMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<T: Ord> FromIterator<T> for FlatSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut set = Self::new();
        set.extend(values);
        set
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for FlatMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for FlatSet<T> {
    fn from(values: [T; N]) -> Self {
        values.into_iter().collect()
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for FlatMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<T> IntoIterator for FlatSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a FlatSet<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<K, V> IntoIterator for FlatMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a FlatMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_ascends_and_holds_each_value_once() {
        let set = FlatSet::from([3, 1, 2, 3, 1]);
        assert_eq!(set.iter().copied().collect::<Vec<_>>(), [1, 2, 3]);
        assert!(set.contains(&2) && !set.contains(&0) && !set.contains(&4));
    }

    #[test]
    fn sets_are_compared_as_sets() {
        let (some, all) = (FlatSet::from([1, 3]), FlatSet::from([1, 2, 3]));
        assert!(some.is_subset(&all) && !all.is_subset(&some));
        assert!(!some.is_disjoint(&all) && some.is_disjoint(&FlatSet::from([2, 4])));
        assert_eq!(all.difference(&some).collect::<Vec<_>>(), [&2]);
        assert_eq!(all.intersection(&some).collect::<Vec<_>>(), [&1, &3]);
    }

    #[test]
    fn a_map_keeps_the_last_value_of_a_key() {
        let mut map = FlatMap::from([("b", 1), ("a", 2), ("b", 3)]);
        assert_eq!(map.iter().collect::<Vec<_>>(), [(&"a", &2), (&"b", &3)]);
        assert_eq!((map.insert("a", 4), map.remove("b"), map.remove("b")), (Some(2), Some(3), None));
        *map.get_or_default("c") += 5;
        assert_eq!((map.get("a"), map.get("c"), map.get("d")), (Some(&4), Some(&5), None));
    }
}
