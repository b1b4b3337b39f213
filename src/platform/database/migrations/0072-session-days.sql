-- A session lasts as long as its journey unless the widget bounds it.
alter table widget_instances alter column session_max_days drop not null;
