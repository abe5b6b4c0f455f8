-- A message of the network that moved nothing and names a state that is not published is told apart from one that was applied.
alter table happening drop constraint happening_state_check;
alter table happening add constraint happening_state_check
  check (state in ('WAITING', 'APPLIED', 'NOT_UNDERSTOOD', 'IGNORED', 'SET_ASIDE')) not valid;
