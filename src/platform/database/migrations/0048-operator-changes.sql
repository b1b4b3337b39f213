-- An operator may launch, pause, resume or expire a template by its workflow.
alter table template_status_changes drop constraint template_status_changes_cause_check;
alter table template_status_changes add constraint template_status_changes_cause_check
  check (cause in ('api', 'timer', 'operator')) not valid;
