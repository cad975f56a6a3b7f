"""Django's ORM on psycopg, with a pool."""
import sys
from urllib.parse import urlsplit

import django
from django.conf import settings
from peer import InputRow, add, main, on_threads, shares

place = urlsplit(sys.argv[1])
settings.configure(USE_TZ=True, DATABASES={"default": {
    "ENGINE": "django.db.backends.postgresql", "NAME": place.path.strip("/"), "USER": place.username,
    "HOST": place.hostname, "PORT": place.port, "CONN_MAX_AGE": None}})
django.setup()

from django.db import connections, models, transaction  # noqa: E402


class Entry(models.Model):
    key = models.BigIntegerField(primary_key=True, db_column="_id")
    version = models.BigIntegerField(db_column="_version", default=1)
    text = models.TextField()
    priority = models.SmallIntegerField()
    date = models.DateTimeField()
    is_done = models.BooleanField(db_column="isDone")
    amount = models.FloatField()
    number = models.BigIntegerField()

    class Meta:
        app_label = "bench"
        managed = False
        db_table = 'bench"."Entry'


class Department(models.Model):
    key = models.BigIntegerField(primary_key=True, db_column="_id")
    number = models.BigIntegerField()
    title = models.TextField()

    class Meta:
        app_label = "bench"
        managed = False
        db_table = 'bench"."Department'


class Employee(models.Model):
    key = models.BigIntegerField(primary_key=True, db_column="_id")
    number = models.BigIntegerField()
    name = models.TextField()
    salary = models.FloatField()
    department = models.ForeignKey(Department, models.DO_NOTHING, db_column="department", related_name="employees")

    class Meta:
        app_label = "bench"
        managed = False
        db_table = 'bench"."Employee'


class Subject:
    def __init__(self, address, rows):
        self.rows = rows

    def entry(self, row, key):
        return Entry(key=key, text=row.text, priority=row.priority, date=row.date, is_done=row.is_done,
                     amount=row.amount, number=row.number)

    def fetch_read(self):
        return lambda: add(Entry.objects.all())

    def batch_insert(self):
        rows = InputRow.make(self.rows)

        def run():
            with transaction.atomic():
                Entry.objects.bulk_create([self.entry(row, key + 1) for key, row in enumerate(rows)], 1000)
            return len(rows)
        return run

    def importing(self):
        rows = InputRow.make(self.rows)

        def run():
            for start in range(0, len(rows), 1000):
                with transaction.atomic():
                    Entry.objects.bulk_create(
                        [self.entry(row, place + 1) for place, row in enumerate(rows[start:start + 1000], start)])
            return len(rows)
        return run

    def update_save(self):
        entries = list(Entry.objects.all()[:self.rows])

        def run():
            with transaction.atomic():
                for entry in entries:
                    entry.amount += 1
                    entry.is_done = not entry.is_done
                    entry.save(force_update=True, update_fields=["amount", "is_done"])
            return len(entries)
        return run

    def by_key(self, threads):
        keys = list(Entry.objects.order_by("date").values_list("key", flat=True)[:self.rows])

        def read(share):
            try:
                return sum(add([Entry.objects.get(pk=key)]) for key in share)
            finally:
                connections.close_all()
        return lambda: on_threads(read, shares(keys, threads))

    def departments(self):
        def run():
            total = 0
            for department in Department.objects.prefetch_related("employees"):
                for employee in department.employees.all():
                    total += employee.number + int(employee.salary)
            return total
        return run


main(Subject)
