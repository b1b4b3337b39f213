-- Read scopes of the token that asked for the file about a contact: sections that it could not read
-- are left out. Files from before have every section.
alter table exports add column read_scopes text[] not null default '{}';
update exports set read_scopes = array[
  'partner:contacts:read', 'partner:cohorts:read',
  'partner:objectives:read', 'partner:engagement:read', 'partner:journeys:read',
  'partner:messages:read', 'partner:incoming-webhooks:read']
where kind = 'contact';
