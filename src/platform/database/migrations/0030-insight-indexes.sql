-- What insights read of the largest table without touching its wide rows.

create index engagement_events_widget
  on engagement_events (team_id, widget_instance_id, occurred_at)
  where widget_instance_id is not null;
-- What people did about a campaign: read whole for a period, for who did it and how often.
create index engagement_events_engaged
  on engagement_events (team_id, occurred_at) include (template_id, contact_id, kind)
  where not is_machine and template_id is not null
    and (kind in ('message.opened', 'message.clicked', 'contact.replied')
      or kind like 'page.%' or kind like 'widget.%');
-- When a send was over: sent, or failed for good.
create index message_deliveries_over
  on message_deliveries (team_id, (coalesce(sent_at, failed_at)))
  where coalesce(sent_at, failed_at) is not null;
