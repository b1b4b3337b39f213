-- The index was made again without its list of waiting entries (0018).
alter index contacts_email_text set (gin_pending_list_limit = 2048);
