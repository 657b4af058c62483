//! Loops over work-items or work-groups, divided among threads.
//!
//! The work of one iteration cannot be seen from outside: it may be an addition or the product of two
//! matrices. So the first iterations are run and timed, more of them each time, until all are done or it is
//! known that other threads should help and how many iterations are worth a task. The rest is divided into
//! tasks of at least that many iterations, and several tasks for each thread, so that threads that are slower
//! or get longer rows do fewer of them.

use std::ops::Range;
use std::time::{Duration, Instant};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::instructions::{Work, on_chosen};

/// The body of a parallel loop, which runs any part of its iterations.
///
/// A closure is a body. Written as `#[inline(always)] |steps| …` in the call, it is certain to be compiled
/// for the instruction set of the processor, however long it is.
pub trait Body: Sync {
    /// Runs these iterations.
    fn run(&self, steps: Range<isize>);
}

impl<F: Fn(Range<isize>) + Sync> Body for F {
    #[inline(always)]
    fn run(&self, steps: Range<isize>) {
        self(steps);
    }
}

/// The body of a parallel loop over a grid, which runs any part of it; see [`Body`].
pub trait Body2: Sync {
    /// Runs these columns of these rows.
    fn run(&self, rows: Range<isize>, columns: Range<isize>);
}

impl<F: Fn(Range<isize>, Range<isize>) + Sync> Body2 for F {
    #[inline(always)]
    fn run(&self, rows: Range<isize>, columns: Range<isize>) {
        self(rows, columns);
    }
}

/// After this time, other threads help in any case. Waking a thread takes about as long.
const ALONE: Duration = Duration::from_micros(10);

/// After this time, the duration of an iteration is known well enough.
const KNOWN: Duration = Duration::from_micros(2);

/// Other threads help sooner if the rest takes at least this long.
const LONG: Duration = Duration::from_micros(80);

/// The shortest time that is worth a task of its own.
const TASK: Duration = Duration::from_micros(10);

/// Tasks for each thread.
const TASKS_PER_THREAD: isize = 8;

/// Tasks start at multiples of this many iterations if there are enough of them, so that neighbouring tasks
/// seldom write to one cache line and vectors are aligned alike in all of them.
const STEPS_OF_A_LINE: isize = 64;

/// What runs any part of the iterations of a loop. It is called by its address: what divides iterations is
/// compiled once, and not for each loop of a program. A call takes as long as a few additions.
type Run<'r> = &'r (dyn Fn(Range<isize>) + Sync);

/// Runs `body` on parts of `0..extent`, on several threads where that is worth it.
#[inline]
pub fn parallel(extent: isize, body: impl Body) {
    run_in_parts(extent, &|steps| on_chosen(Steps { body: &body, steps }));
}

fn run_in_parts(extent: isize, run: Run<'_>) {
    if rayon::current_num_threads() == 1 {
        return run(0..extent.max(0));
    }
    // The parts end at 1, 16, 64, 256, …. All but the first two end at whole cache lines.
    let (mut done, mut end) = (0, 1);
    while done < extent {
        let steps = done..extent.min(end);
        let (count, start) = (steps.end - steps.start, Instant::now());
        done = steps.end;
        run(steps);
        let elapsed = start.elapsed();
        let is_long = elapsed >= KNOWN && expected(extent - done, count, elapsed) >= LONG;
        if (elapsed >= ALONE || is_long) && done < extent {
            return divide(done..extent, grain(count, elapsed), run);
        }
        end = if end == 1 { 16 } else { end.saturating_mul(4) };
    }
}

/// The time that `steps` iterations take, if `done` of them took `elapsed`.
fn expected(steps: isize, done: isize, elapsed: Duration) -> Duration {
    let times = steps as f64 / done.max(1) as f64;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * times).unwrap_or(Duration::MAX)
}

/// The number of iterations that make a task, if `steps` of them took `elapsed`.
fn grain(steps: isize, elapsed: Duration) -> isize {
    let tasks = elapsed.as_nanos() / TASK.as_nanos().max(1);
    match isize::try_from(tasks) {
        // All of them are less than one task.
        Ok(0) => {
            let times = TASK.as_nanos() / elapsed.as_nanos().max(1);
            steps.saturating_mul(isize::try_from(times).unwrap_or(isize::MAX))
        }
        Ok(tasks) => (steps / tasks).max(1),
        Err(_) => 1,
    }
}

/// Runs iterations as tasks of at least `grain` iterations.
fn divide(steps: Range<isize>, grain: isize, run: Run<'_>) {
    let threads = isize::try_from(rayon::current_num_threads()).unwrap_or(1);
    let count = steps.end - steps.start;
    let wanted = threads.saturating_mul(TASKS_PER_THREAD);
    let mut length = (count / wanted + isize::from(count % wanted != 0)).max(grain);
    if length >= STEPS_OF_A_LINE {
        length -= length % STEPS_OF_A_LINE;
    }
    let tasks = count / length + isize::from(count % length != 0);
    (0..tasks).into_par_iter().for_each(|task| {
        let start = steps.start + task * length;
        run(start..steps.end.min(start.saturating_add(length)));
    });
}

/// Runs `body` on parts of a grid: on whole rows when there are enough of them, else on parts of rows.
#[inline]
pub fn parallel2(rows: isize, columns: isize, body: impl Body2) {
    run_in_rows(rows, columns, &|rows, columns| on_chosen(Rectangle { body: &body, rows, columns }));
}

fn run_in_rows(rows: isize, columns: isize, run: &(dyn Fn(Range<isize>, Range<isize>) + Sync)) {
    if rows <= 0 || columns <= 0 {
        return;
    }
    let threads = isize::try_from(rayon::current_num_threads()).unwrap_or(1);
    let wanted = threads.saturating_mul(TASKS_PER_THREAD);
    let parts_of_a_row = (wanted / rows).min(columns / STEPS_OF_A_LINE).max(1);
    if parts_of_a_row == 1 {
        return run_in_parts(rows, &|rows| run(rows, 0..columns));
    }
    let mut length = columns / parts_of_a_row;
    length -= length % STEPS_OF_A_LINE;
    let parts_of_a_row = columns / length + isize::from(columns % length != 0);
    // Parts of rows, counted row by row.
    run_in_parts(rows * parts_of_a_row, &|parts| {
        for part in parts {
            let row = part / parts_of_a_row;
            let start = part % parts_of_a_row * length;
            run(row..row + 1, start..columns.min(start + length));
        }
    });
}

struct Steps<'b, B> {
    body: &'b B,
    steps: Range<isize>,
}

impl<B: Body> Work for Steps<'_, B> {
    #[inline(always)]
    fn run(self) {
        self.body.run(self.steps);
    }
}

/// A part of a grid.
struct Rectangle<'b, B> {
    body: &'b B,
    rows: Range<isize>,
    columns: Range<isize>,
}

impl<B: Body2> Work for Rectangle<'_, B> {
    #[inline(always)]
    fn run(self) {
        self.body.run(self.rows, self.columns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    /// How often each iteration is run.
    fn steps(extent: isize, cost: Duration) -> Vec<usize> {
        let runs: Vec<AtomicUsize> = (0..extent).map(|_| AtomicUsize::new(0)).collect();
        parallel(extent, |steps: Range<isize>| {
            assert!(steps.start < steps.end && steps.end <= extent);
            for step in steps {
                if !cost.is_zero() {
                    thread::sleep(cost);
                }
                runs[step as usize].fetch_add(1, Ordering::Relaxed);
            }
        });
        runs.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    fn every_step_is_run_once() {
        for extent in [0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 100_000] {
            assert_eq!(steps(extent, Duration::ZERO), vec![1; extent as usize]);
        }
        for extent in [1, 2, 3, 40] {
            assert_eq!(steps(extent, Duration::from_micros(50)), vec![1; extent as usize]);
        }
    }

    #[test]
    fn nothing_is_run_of_nothing() {
        parallel(-3, |steps: Range<isize>| assert!(steps.is_empty()));
        parallel2(0, 5, |_: Range<isize>, _: Range<isize>| panic!("there are no rows"));
        parallel2(5, 0, |_: Range<isize>, _: Range<isize>| panic!("there are no columns"));
    }

    #[test]
    fn every_place_of_a_grid_is_run_once() {
        for (rows, columns) in [(1, 1), (1, 5000), (2, 1000), (3, 64), (500, 3), (40, 130)] {
            let runs: Vec<AtomicUsize> = (0..rows * columns).map(|_| AtomicUsize::new(0)).collect();
            parallel2(rows, columns, |some_rows: Range<isize>, some_columns: Range<isize>| {
                for row in some_rows {
                    for column in some_columns.clone() {
                        runs[(row * columns + column) as usize].fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
            assert!(runs.into_iter().all(|count| count.into_inner() == 1), "{rows} x {columns}");
        }
    }

    #[test]
    fn a_panic_of_one_thread_comes_back_and_the_next_loop_works() {
        let panicking = AssertUnwindSafe(|| {
            parallel(1000, |steps: Range<isize>| {
                thread::sleep(Duration::from_micros(20));
                assert!(!steps.contains(&997), "a bug");
            });
        });
        assert!(catch_unwind(panicking).is_err());
        assert_eq!(steps(100, Duration::ZERO), vec![1; 100]);
    }

    #[test]
    fn loops_may_be_nested() {
        let sum = AtomicUsize::new(0);
        parallel(20, |outer: Range<isize>| {
            for _ in outer {
                parallel(30, |inner: Range<isize>| {
                    thread::sleep(Duration::from_micros(5));
                    sum.fetch_add(inner.count(), Ordering::Relaxed);
                });
            }
        });
        assert_eq!(sum.into_inner(), 600);
    }

    #[test]
    fn a_task_is_long_enough_to_be_worth_it() {
        assert_eq!(expected(300, 100, TASK), TASK * 3);
        assert_eq!(expected(isize::MAX, 1, Duration::MAX), Duration::MAX);
        assert_eq!(grain(1, Duration::from_millis(1)), 1);
        assert_eq!(grain(100, TASK), 100);
        assert_eq!(grain(100, TASK * 10), 10);
        assert_eq!(grain(100, TASK / 4), 400);
    }
}
