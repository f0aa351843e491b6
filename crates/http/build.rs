//! Builds the crate anew when a file of the panel comes or goes: the compiler itself watches only those it has embedded.

fn main() {
    println!("cargo::rerun-if-changed=web");
}
