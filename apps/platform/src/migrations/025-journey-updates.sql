-- Each write to a journey changes updated_at. Without an index on it, and with space in its page, the row changes no index.
drop index if exists journey_unerased;
alter table journey set (fillfactor = 85);
