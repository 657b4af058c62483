//! Why a program has no form of a class: what the class wants, and what the survey found in its place.
//!
//! The choice of forms asks the same questions ([`reductions`](super::reductions)) and needs no answer but
//! yes or no. So a reason is a small value, which becomes a sentence for people only.

use std::fmt;

use super::defaults::{
    FEW_COLUMNS, LARGE_WINDOW, LONG_COLUMN, MANY_ELEMENTS, MOST_REGISTERS, REGISTER_BYTES, WIDEST_WINDOW,
};
use crate::ir::source::Source;

/// A class of forms that a program does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The class.
    pub class: Class,
    /// The part of the program that it is not for, if that is not all of it: a reduction.
    pub of: Option<Source>,
    /// Why not.
    pub reason: Reason,
}

/// A class of forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Groups share rows: `rows`, `shortRows`, `narrowRows`, `mediumRows`, `keptShortRows` and so on.
    Rows,
    /// Processors reduce rows as vectors: `rowVectors`.
    RowVectors,
    /// Groups share pieces of columns: `columns`.
    Columns,
    /// Groups read rows once, for themselves and for columns: `onePass`, `onePassOfLongRows`.
    OnePass,
    /// Groups share reductions of pairs of rows and columns: `blocks`.
    Blocks,
    /// Groups compute tiles of products: `productTiles`.
    ProductTiles,
    /// Groups share the reductions of few results: `veryFewResults`, `fewResults`.
    FewResults,
    /// Groups share segments: `segments`, `shortSegments`.
    Segments,
    /// Tiles are transposed in local memory: `tiledTranspose`.
    Transposition,
    /// Work-items update tables of integers together: `tables`.
    Tables,
    /// Work-items go down strips of small windows of a matrix or a box: `rollingRows`.
    RollingRows,
    /// Work-items compute vectors of neighbouring results of small windows of a line: `windowVectors`.
    WindowVectors,
    /// Groups copy what tiles of larger windows need: `windowTiles`.
    WindowTiles,
    /// Work-items compute several elements each: `elements`.
    Elements,
    /// Groups share the scans of rows: `rowScans`, `wholeRowScans`, `shortRowScans`.
    RowScans,
    /// One work-item computes each scan: `scansInOrder`.
    ScansInOrder,
}

impl Class {
    /// All of them.
    pub(super) const ALL: [Class; 16] = [
        Class::Rows,
        Class::RowVectors,
        Class::Columns,
        Class::OnePass,
        Class::Blocks,
        Class::ProductTiles,
        Class::FewResults,
        Class::Segments,
        Class::Transposition,
        Class::Tables,
        Class::RollingRows,
        Class::WindowVectors,
        Class::WindowTiles,
        Class::Elements,
        Class::RowScans,
        Class::ScansInOrder,
    ];
}

/// Why a program, or a reduction, has no form of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Forms are for devices.
    ForHost,
    /// Launches are stated, or workers.
    SaysWhoComputes,
    /// Everything keeps the order of the program.
    InOrder,
    /// The program is strict, and its floats keep their order.
    Strict,
    /// No work-item reduces anything whose numbers a launcher knows.
    NothingReduced,
    /// The program does something else than transpose a parameter.
    NoTransposition,
    /// No scan is divided.
    NoDividedScan,
    /// No rows are scanned whose scans groups could share.
    NoRowScan,
    /// The rows that are scanned have too few elements.
    ShortScannedRows,
    /// What else the program computes of the rows that are scanned keeps a scan with one work-item.
    UnsharedRowScans,
    /// No array is read along a row from step to step.
    NotAlongRows,
    /// Several work-items read one row.
    SharedRow,
    /// There is only one row.
    OneRow,
    /// Neighbouring work-items read neighbours in it.
    NeighboursAlready,
    /// Neighbouring work-items read neighbours in another array, which groups for rows would tear apart.
    OtherColumns,
    /// Neighbouring work-items do not read neighbours.
    NotAcrossColumns,
    /// Its work-items have several dimensions; only the columns of a matrix are cut into pieces.
    SeveralDimensions,
    /// What is read from step to step lies side by side, or is the same.
    NotDownColumns,
    /// Neighbouring work-items read far apart in another array.
    OtherRows,
    /// Rows are not reduced, or columns, or these without what rows give.
    NotRowsThenColumns,
    /// Elements are too large for registers.
    LargeElements,
    /// Not each pair of a row and a column is reduced, or more is done with pairs.
    NoPairs,
    /// No stage of the program reduces each pair of a row and a column in a way that tiles of pairs can.
    NoProduct,
    /// The reduction of a pair has too few elements.
    ShortPair {
        /// The number of elements from which on the form is worth it.
        least: i128,
    },
    /// Rows, columns or results are few.
    FewPairs,
    /// Several reductions.
    SeveralReductions,
    /// Work-items do not all take the same elements.
    OwnElements,
    /// There are enough results to fill a GPU.
    ManyResults,
    /// Neither columns nor pairs are few.
    ManyPairs,
    /// Local memory has no room for what the work-items of a group leave.
    LargeResults,
    /// A row has too few elements.
    ShortRow {
        /// The number of elements from which on the form is worth it.
        least: i128,
    },
    /// A column has too few elements.
    ShortColumn,
    /// Only integers are reduced, of which compilers make vectors themselves.
    Integers,
    /// No operator may take its elements in any order, or none has a counterpart for vectors.
    NoVectors,
    /// No segments are reduced by an operator that takes its elements in any order.
    NoSegments,
    /// No reduction by key updates a table of integers.
    NoTable,
    /// No large array is stored that is computed of windows at every element of another one.
    NoWindows,
    /// All windows have one dimension.
    FlatWindows,
    /// Some windows have several dimensions.
    DeepWindows,
    /// Windows have too many elements, or do not lie in rows.
    LargeWindows,
    /// Windows have too few elements, too many columns, or tiles for which local memory has no room.
    SmallWindows,
    /// The function of windows does something that the form cannot.
    OtherWindows,
    /// The sizes for which it can be made and those for which it is worth it exclude each other.
    NoSizes,
    /// What the program takes long for has another form.
    OtherForms,
    /// Every kernel does much for each element.
    MuchForEach,
    /// There are too few elements.
    FewElements,
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Class::Rows => "rows",
            Class::RowVectors => "rowVectors",
            Class::Columns => "columns",
            Class::OnePass => "onePass",
            Class::Blocks => "blocks",
            Class::ProductTiles => "productTiles",
            Class::FewResults => "fewResults",
            Class::Segments => "segments",
            Class::Transposition => "tiledTranspose",
            Class::Tables => "tables",
            Class::RollingRows => "rollingRows",
            Class::WindowVectors => "windowVectors",
            Class::WindowTiles => "windowTiles",
            Class::Elements => "elements",
            Class::RowScans => "rowScans",
            Class::ScansInOrder => "scansInOrder",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::ForHost => formatter.write_str("the program is for the host only"),
            Reason::SaysWhoComputes => formatter.write_str("the program says who computes what"),
            Reason::InOrder => formatter.write_str("everything keeps the order of the program"),
            Reason::Strict => formatter.write_str("the program is strict, and combines floats in its order"),
            Reason::NothingReduced => formatter
                .write_str("no work-item reduces an array of a length that is known before the launch"),
            Reason::NoTransposition => {
                formatter.write_str("the program does more than transpose a matrix that is passed")
            }
            Reason::NoDividedScan => formatter.write_str("no scan is divided among work-items"),
            Reason::NoRowScan => formatter
                .write_str("no rows that lie side by side are scanned with an operator known as associative"),
            Reason::ShortScannedRows => {
                formatter.write_str("the rows that are scanned have too few elements")
            }
            Reason::UnsharedRowScans => formatter.write_str(
                "groups cannot share the scans of rows together with what else is computed of these rows",
            ),
            Reason::NotAlongRows => {
                formatter.write_str("a work-item does not read neighbours from step to step")
            }
            Reason::SharedRow => formatter.write_str("several work-items read the same elements"),
            Reason::OneRow => formatter.write_str("no other work-item reduces another row"),
            Reason::NeighboursAlready => {
                formatter.write_str("neighbouring work-items read neighbours already")
            }
            Reason::NoVectors => {
                formatter.write_str("its operator keeps its order, or is not there for vectors")
            }
            Reason::Integers => formatter.write_str("compilers make vectors of its integers themselves"),
            Reason::OtherColumns => {
                formatter.write_str("neighbouring work-items read neighbours in another array")
            }
            Reason::NotAcrossColumns => formatter.write_str("neighbouring work-items do not read neighbours"),
            Reason::SeveralDimensions => formatter.write_str("its work-items have several dimensions"),
            Reason::NotDownColumns => {
                formatter.write_str("a work-item reads neighbours, or the same, from step to step")
            }
            Reason::OtherRows => {
                formatter.write_str("neighbouring work-items read far apart in another array")
            }
            Reason::NotRowsThenColumns => formatter.write_str(
                "the program does not reduce the rows of a matrix, and then just its columns with the results",
            ),
            Reason::LargeElements => {
                write!(formatter, "elements have more than {REGISTER_BYTES} bytes")
            }
            Reason::NoPairs => {
                formatter.write_str("the program does not just reduce each pair of a row and a column")
            }
            Reason::NoProduct => {
                formatter.write_str("no stage of the program just reduces each pair of a row and a column")
            }
            Reason::ShortPair { least } => write!(formatter, "pairs have fewer than {least} elements"),
            Reason::SeveralReductions => formatter.write_str("the program has several reductions"),
            Reason::OwnElements => formatter.write_str("work-items do not all reduce the same elements"),
            Reason::ManyResults => formatter.write_str("there are enough results to fill a GPU"),
            Reason::FewPairs => {
                formatter.write_str("there are too few rows, columns or results to fill a GPU with tiles")
            }
            Reason::LargeResults => {
                formatter.write_str("local memory has no room for the results of all work-items of a group")
            }
            Reason::ManyPairs => write!(formatter, "there are more than {FEW_COLUMNS} columns and many pairs"),
            Reason::ShortRow { least } => write!(formatter, "it has fewer than {least} elements"),
            Reason::ShortColumn => write!(formatter, "it has fewer than {LONG_COLUMN} elements"),
            Reason::NoSegments => formatter.write_str(
                "no `reduceSegments` outside of functions combines elements by an operator that takes them in any \
                 order, from a value that several work-items can start from",
            ),
            Reason::NoTable => formatter.write_str(
                "no reduction by key combines `i32` or `u32` by `+`, `min`, `max`, `&`, `|` or `^`",
            ),
            Reason::NoWindows => formatter.write_str(
                "no large array that the program stores is computed of windows of a known size at every element",
            ),
            Reason::FlatWindows => formatter.write_str("windows have one dimension"),
            Reason::DeepWindows => formatter.write_str("windows have several dimensions"),
            Reason::LargeWindows => {
                write!(
                    formatter,
                    "elements or windows are too large for vectors in {MOST_REGISTERS} registers, or windows are \
                     no parts of rows in memory"
                )
            }
            Reason::SmallWindows => {
                write!(
                    formatter,
                    "windows have fewer than {LARGE_WINDOW} elements, more than {WIDEST_WINDOW} columns, or no room \
                     in local memory"
                )
            }
            Reason::OtherWindows => {
                formatter.write_str("no function of windows is one that the form can compute")
            }
            Reason::NoSizes => formatter.write_str("there are no sizes for which it is worth it"),
            Reason::OtherForms => formatter.write_str("the program has other forms"),
            Reason::MuchForEach => {
                formatter.write_str("no kernel does little for each of the elements of one array")
            }
            Reason::FewElements => write!(formatter, "there are fewer than {MANY_ELEMENTS} elements"),
        }
    }
}
