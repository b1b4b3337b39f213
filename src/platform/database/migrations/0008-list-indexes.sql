-- What the list of contacts lacked to cost the same in a team of any size.

-- Sorting by name and then by age: the two keys run in opposite directions, so neither the index on
-- last_name nor its reverse gives the order, and everybody with one name would be sorted.
create index contacts_last_name_recent
  on contacts (team_id, last_name, inserted_at desc, id desc) where status <> 'archived';

-- Beginnings and ends of addresses: one range of an index each. The trigrams of a common word fill
-- lists that grow with the table, and are left to `contains`.
create index contacts_email_start
  on contacts (team_id, lower(email collate "default") text_pattern_ops);
create index contacts_email_end
  on contacts (team_id, lower(reverse(email) collate "default") text_pattern_ops);
