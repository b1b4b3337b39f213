-- Deliveries to a subscription one after the other, in the order in which they were recorded.

alter table webhook_delivery_settings add column ordering text not null default 'none';
