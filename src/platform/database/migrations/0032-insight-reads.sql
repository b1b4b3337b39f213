-- What insights read of many rows lies beside keys that are there anyway, so that wide rows are left
-- alone and writers keep no index more, but for completions, which are few.

drop index journeys_default;
create index journeys_default on journeys (team_id, enrolled_at desc, id desc)
  include (template_id, contact_id, is_holdout, enrolled_via, cohort_id, seq);

drop index engagement_events_contact;
create index engagement_events_contact
  on engagement_events (team_id, contact_id, occurred_at desc, id desc)
  include (kind, is_machine, message_id, page_id, landing_page_id)
  where contact_id is not null;
drop index engagement_events_journey;
create index engagement_events_journey
  on engagement_events (team_id, journey_id, occurred_at desc, id desc)
  include (kind, is_machine, message_id, page_id, widget_instance_id, channel)
  where journey_id is not null;
drop index engagement_events_page;
create index engagement_events_page
  on engagement_events (team_id, page_id, occurred_at desc, id desc)
  include (kind, is_machine, contact_id, template_id)
  where page_id is not null;

-- By when, by whom and by which journey.
create index objective_completions_counted on objective_completions (team_id, completed_at)
  include (objective_id, value_cents, attribution, template_id, contact_id)
  where voided_at is null;
create index objective_completions_done
  on objective_completions (team_id, objective_id, contact_id, completed_at)
  where voided_at is null;
create index objective_completions_journey on objective_completions (team_id, journey_id)
  include (contact_id, completed_at, value_cents)
  where voided_at is null and journey_id is not null;
