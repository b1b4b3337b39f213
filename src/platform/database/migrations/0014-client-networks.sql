-- Networks from which a client may be used.

alter table clients
  -- In CIDR notation; null: any address.
  add column networks text[]
  constraint clients_networks_count check (cardinality(networks) between 1 and 50);
