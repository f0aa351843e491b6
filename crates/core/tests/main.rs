//! The rules of the core, from outside.

mod asks;
mod attacks;
mod catalogues;
mod desk;
mod plan_golden;
mod plan_properties;
mod profiles;
mod reaching;
mod receiving;
mod reply_cases;
mod reply_hints;
mod reply_properties;
mod validate;
mod waking;
