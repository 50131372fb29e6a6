-- Tables, joins, windows, recursion, JSON and text; the host's SQLite says what is right.
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss INTEGER REFERENCES person);
CREATE TABLE sale(person INTEGER, month INTEGER, amount REAL, CHECK(amount >= 0));
CREATE INDEX sale_person ON sale(person, month);
INSERT INTO person VALUES(1, 'Ada', NULL), (2, 'Bob', 1), (3, 'Cy', 1), (4, 'Dee', 2);
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
	INSERT INTO sale SELECT 1 + i % 4, 1 + i * 7 % 12, (i * 7919 % 1000) / 8.0 FROM n;
SELECT name, count(*), round(sum(amount), 2), max(month) FROM person JOIN sale ON person = id GROUP BY id;
SELECT month, avg(amount) AS a FROM sale GROUP BY month HAVING a > 60 ORDER BY a DESC LIMIT 5;
WITH RECURSIVE under(id, depth) AS (SELECT 1, 0 UNION ALL
	SELECT p.id, depth + 1 FROM person p JOIN under ON p.boss = under.id)
	SELECT printf('%*s%s', 2 * depth, '', name) FROM under JOIN person USING(id) ORDER BY depth, name;
SELECT person, month, sum(amount) OVER (PARTITION BY person ORDER BY month, rowid) FROM sale
	WHERE month < 3 ORDER BY 1, 2, 3 LIMIT 12;
SELECT json_extract('{"a":[1,2,{"b":"c"}]}', '$.a[2].b'), upper('x') || substr('hello', 2, 3), hex(zeroblob(3));
SELECT typeof(1 / 2), 1 / 2, 1 / 2.0, 9223372036854775807 + 1, sqrt(2), abs(-3), 'a' LIKE 'A', NULL IS NULL;
INSERT INTO sale VALUES(1, 1, -5);
BEGIN; DELETE FROM sale; SELECT count(*) FROM sale; ROLLBACK; SELECT count(*) FROM sale;
EXPLAIN QUERY PLAN SELECT * FROM sale WHERE person = 2 AND month > 6;
PRAGMA integrity_check;
