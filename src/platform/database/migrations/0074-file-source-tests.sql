-- The last test of a file source: a worker logs in and reads nothing.
alter table file_sources
  add column test_requested_at timestamptz(3),
  add column test_started_at timestamptz(3),
  add column tested_at timestamptz(3),
  add column test_error_code text,
  add column test_error_detail text;
create index file_sources_tests on file_sources (test_requested_at)
  where test_requested_at is not null;
