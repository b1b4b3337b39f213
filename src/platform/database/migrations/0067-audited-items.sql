-- How many items a bulk action, a download or a number of reads was about.

alter table audit_events add column item_count int;
