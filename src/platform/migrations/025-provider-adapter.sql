-- Several providers of a kind may be configured: what was begun with one adapter is finished with it. Until now there was one
-- of each kind, and the version before still writes without a name.
alter table partner_check add column adapter text not null default 'lendloom';
alter table aa_session add column adapter text not null default 'rebit';
