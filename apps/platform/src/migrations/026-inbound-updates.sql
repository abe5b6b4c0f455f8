-- A message's state changes once, when it is applied. Without an index on it, and with space in its page, the row changes no index.
drop index if exists inbound_message_waiting;
alter table inbound_message set (fillfactor = 85);
