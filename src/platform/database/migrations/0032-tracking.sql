-- Tracking of opens and clicks that a team has switched on: {opens, clicks, domain?}; null: none.
alter table teams add column tracking jsonb;
