-- Number of providers that have not taken the message: its next attempt goes to the one after them.
alter table message_sends add column providers_passed smallint not null default 0;
