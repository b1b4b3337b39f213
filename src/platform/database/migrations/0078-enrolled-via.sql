-- Nothing enrolls by hand: only demo data ever said so.

update journeys set enrolled_via = 'api' where enrolled_via = 'manual';
alter table journeys drop constraint journeys_enrolled_via_check;
alter table journeys add constraint journeys_enrolled_via_check check (enrolled_via in (
  'api', 'cohort', 'batch', 'sftp', 'ipaas', 'widget'));
