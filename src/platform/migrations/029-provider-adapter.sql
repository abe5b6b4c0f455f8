-- Several providers of a kind may be configured: what was begun with one adapter is finished with it. Until now there was one.
alter table partner_check add column adapter text not null default 'lendloom';
alter table partner_check alter column adapter drop default;

alter table aa_session add column adapter text not null default 'rebit';
alter table aa_session alter column adapter drop default;
