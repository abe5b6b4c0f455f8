create database partner;
create database demo;
