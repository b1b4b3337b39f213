-- The same order, read backwards: the members that one evaluation brings are written one behind the
-- other, where an index in descending order splits a page for each that is full.

drop index cohort_members_default;
create index cohort_members_default on cohort_members (team_id, cohort_id, joined_at, contact_id);
