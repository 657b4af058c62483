//! The sources of times.
//!
//! The device's clock says how long a kernel took, including the time that its threads waited for a processor
//! that others used. On shared processors, the time that the threads of this process ran says more: it hardly
//! depends on what else runs. It includes what the OpenCL library does around a kernel, which is the same for
//! all.

use std::fs;
use std::time::Duration;

/// A source of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// The profiling events of the device.
    Device,
    /// The time that all threads of this process have run.
    Processor,
}

impl Clock {
    /// The time that a run takes; the run itself returns what the device's clock shows.
    pub(crate) fn time(self, run: impl FnOnce() -> Result<Duration, String>) -> Result<Duration, String> {
        match self {
            Clock::Device => run(),
            Clock::Processor => {
                let before = processor_time()?;
                run()?;
                Ok(processor_time()?.saturating_sub(before))
            }
        }
    }
}

/// How long the threads of this process have run, as Linux counts it in nanoseconds.
fn processor_time() -> Result<Duration, String> {
    let unknown = |error| format!("the processor time of this process is not known: {error}");
    let threads = fs::read_dir("/proc/self/task").map_err(unknown)?;
    let mut nanoseconds = 0;
    for thread in threads {
        let thread = thread.map_err(unknown)?;
        // A thread may end between the two calls.
        let counts = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let ran = counts.split_whitespace().next().and_then(|ran| ran.parse::<u64>().ok());
        nanoseconds += ran.unwrap_or(0);
    }
    Ok(Duration::from_nanos(nanoseconds))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn processor_time_passes_while_the_process_works_and_not_while_it_sleeps() {
        // In a process of its own, because other tests work while this one sleeps.
        let tests = std::env::current_exe().expect("a test is a program");
        let output = std::process::Command::new(tests)
            .args(["--exact", "clock::tests::work_and_sleep", "--ignored"])
            .output()
            .expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }

    #[test]
    #[ignore = "another test runs it in a process of its own"]
    fn work_and_sleep() {
        let before = processor_time().expect("Linux counts it");
        let started = std::time::Instant::now();
        while started.elapsed() < Duration::from_millis(30) {
            std::hint::spin_loop();
        }
        assert!(processor_time().expect("Linux counts it") > before);
        let slept = Clock::Processor.time(|| {
            std::thread::sleep(Duration::from_millis(200));
            Ok(Duration::ZERO)
        });
        assert!(slept.expect("Linux counts it") < Duration::from_millis(150));
    }
}
