-- Events that were not applied, whose bodies are deleted when no case exists for them. Almost all events are applied.
create index concurrently if not exists inbox_outcome_unapplied on inbox_outcome (case_ref, settled_at) where outcome <> 'APPLIED';
