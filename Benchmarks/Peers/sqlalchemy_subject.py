"""SQLAlchemy's ORM on psycopg, as its documentation recommends."""
from datetime import datetime

from peer import InputRow, add, main, on_threads, shares
from sqlalchemy import Boolean, ForeignKey, SmallInteger, create_engine, insert, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload
from sqlalchemy.types import BigInteger, DateTime, Double, Text

SCHEMA = {"schema": "bench"}


class Base(DeclarativeBase):
    pass


class Entry(Base):
    __tablename__ = "Entry"
    __table_args__ = SCHEMA
    key: Mapped[int] = mapped_column("_id", BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column("_version", BigInteger)
    text: Mapped[str] = mapped_column(Text)
    priority: Mapped[int] = mapped_column(SmallInteger)
    date: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    is_done: Mapped[bool] = mapped_column("isDone", Boolean)
    amount: Mapped[float] = mapped_column(Double)
    number: Mapped[int] = mapped_column(BigInteger)
    __mapper_args__ = {"version_id_col": version}


class Department(Base):
    __tablename__ = "Department"
    __table_args__ = SCHEMA
    key: Mapped[int] = mapped_column("_id", BigInteger, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    title: Mapped[str] = mapped_column(Text)
    employees: Mapped[list["Employee"]] = relationship(back_populates="department")


class Employee(Base):
    __tablename__ = "Employee"
    __table_args__ = SCHEMA
    key: Mapped[int] = mapped_column("_id", BigInteger, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(Text)
    salary: Mapped[float] = mapped_column(Double)
    department_key: Mapped[int] = mapped_column("department", ForeignKey(Department.key))
    department: Mapped[Department] = relationship(back_populates="employees")


class Subject:
    def __init__(self, address, rows):
        self.engine = create_engine(address.replace("postgresql://", "postgresql+psycopg://"), pool_size=32)
        self.rows = rows

    def values(self, row, key):
        return {"key": key, "version": 1, "text": row.text, "priority": row.priority, "date": row.date,
                "is_done": row.is_done, "amount": row.amount, "number": row.number}

    def fetch_read(self):
        def run():
            with Session(self.engine) as session:
                return add(session.scalars(select(Entry)))
        return run

    def batch_insert(self):
        rows = InputRow.make(self.rows)

        def run():
            with Session(self.engine) as session:
                session.execute(insert(Entry), [self.values(row, key + 1) for key, row in enumerate(rows)])
                session.commit()
            return len(rows)
        return run

    def importing(self):
        rows = InputRow.make(self.rows)

        def run():
            with Session(self.engine) as session:
                for start in range(0, len(rows), 1000):
                    for place, row in enumerate(rows[start:start + 1000], start):
                        values = self.values(row, place + 1)
                        del values["version"]
                        session.add(Entry(**values))
                    session.commit()
            return len(rows)
        return run

    def update_save(self):
        session = Session(self.engine, expire_on_commit=False)
        entries = list(session.scalars(select(Entry).limit(self.rows)))

        def run():
            for entry in entries:
                entry.amount += 1
                entry.is_done = not entry.is_done
            session.commit()
            session.close()
            return len(entries)
        return run

    def by_key(self, threads):
        with Session(self.engine) as session:
            keys = list(session.scalars(select(Entry.key).order_by(Entry.date).limit(self.rows)))

        def read(share):
            total = 0
            for key in share:
                with Session(self.engine) as session:
                    total += add([session.get(Entry, key)])
            return total
        return lambda: on_threads(read, shares(keys, threads))

    def departments(self):
        def run():
            with Session(self.engine) as session:
                total = 0
                for department in session.scalars(select(Department).options(selectinload(Department.employees))):
                    for employee in department.employees:
                        total += employee.number + int(employee.salary)
                return total
        return run


main(Subject)
