-- Files cannot enroll: only demo data ever said so.

update journeys set enrolled_via = 'batch' where enrolled_via = 'sftp';
alter table journeys drop constraint journeys_enrolled_via_check;
alter table journeys add constraint journeys_enrolled_via_check check (enrolled_via in (
  'api', 'cohort', 'batch', 'ipaas', 'widget'));
