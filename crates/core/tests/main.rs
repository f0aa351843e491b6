//! The rules of the core, from outside.

mod asks;
mod catalogues;
mod plan_golden;
mod plan_properties;
mod profiles;
mod receiving;
mod reply_cases;
mod reply_hints;
mod reply_properties;
mod validate;
