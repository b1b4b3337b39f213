-- Teams and clients have the word that users have: an operator suspends and resumes all three.
alter table teams rename column disabled_at to suspended_at;
alter table clients add column suspended_at timestamptz(3);
update clients set suspended_at = updated_at where not is_active;
alter table clients drop column is_active;
