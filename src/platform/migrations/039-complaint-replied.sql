-- When the borrower said something that no officer has answered, noted upon or marked as seen yet; null when nothing of the kind waits.
alter table complaint add column replied_at timestamptz;
