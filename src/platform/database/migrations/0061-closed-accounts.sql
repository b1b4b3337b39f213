-- The two stamps of an account are independent: one that was closed need not say when it was opened.

alter table accounts drop constraint accounts_date_order;
alter table accounts add constraint accounts_date_order check (closed_at >= opened_at);
