-- As the package creates the table; databases of earlier versions have it without these settings.
alter table job set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
