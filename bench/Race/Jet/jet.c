/* The insert race in C against libmariadb: the jet engine of 2008, and today's wires.
 *
 *   jet HOST PORT USER DATABASE WIRE ROWS PROCESSOR      (password in JET_PASSWORD; PROCESSOR -1: wherever the scheduler likes)
 *
 * WIRE: strict  a prepared INSERT of three rows, one execution after the other; ROWS is 3
 *       multi   a prepared INSERT of ROWS rows
 *       array   a prepared INSERT of one row, executed with arrays of ROWS values (MariaDB's bulk execute)
 *       load    LOAD DATA LOCAL INFILE of ROWS rows, the text made while it is sent
 *
 * Says "ready", then answers lines: "begin", "run N" (N operations; says "wall cpu" in microseconds), "end" (commit, empty the table).
 * "jet version" names the library.
 * Compiled by ./race --jet:  cc -O2 -o jet jet.c $(mariadb_config --cflags --libs)
 */
#define _GNU_SOURCE
#include <mysql.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { COLUMNS = 3, ROW_TEXT_MOST = 36 };

static MYSQL *connection;
static MYSQL_STMT *statement;
static unsigned rows;
static int32_t *values;
static int32_t next_value;

static void fail(const char *text) {
    printf("error %s\n", text);
    exit(1);
}

static void query(const char *text) {
    if (mysql_query(connection, text))
        fail(mysql_error(connection));
}

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static double cpu(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void prepare(unsigned tuples) {
    static const char head[] = "INSERT INTO test VALUES ";
    char *text = malloc(sizeof head + tuples * 8);
    char *end = stpcpy(text, head);
    for (unsigned i = 0; i < tuples; i++)
        end = stpcpy(end, i ? ",(?,?,?)" : "(?,?,?)");
    statement = mysql_stmt_init(connection);
    if (!statement || mysql_stmt_prepare(statement, text, end - text))
        fail(statement ? mysql_stmt_error(statement) : "no memory");
    free(text);
}

/* Row by row in one array: value v stands in row v / 3, column v % 3. */
static void bind_rows(unsigned tuples) {
    MYSQL_BIND *bind = calloc(tuples * COLUMNS, sizeof *bind);
    values = calloc(tuples * COLUMNS, sizeof *values);
    for (unsigned i = 0; i < tuples * COLUMNS; i++) {
        bind[i].buffer_type = MYSQL_TYPE_LONG;
        bind[i].buffer = &values[i];
    }
    if (mysql_stmt_bind_param(statement, bind))
        fail(mysql_stmt_error(statement));
    free(bind);
}

/* One array per column. */
static void bind_arrays(void) {
    MYSQL_BIND bind[COLUMNS] = {0};
    values = calloc(rows * COLUMNS, sizeof *values);
    if (mysql_stmt_attr_set(statement, STMT_ATTR_ARRAY_SIZE, &rows))
        fail("this server has no bulk execute");
    for (unsigned i = 0; i < COLUMNS; i++) {
        bind[i].buffer_type = MYSQL_TYPE_LONG;
        bind[i].buffer = values + i * rows;
    }
    if (mysql_stmt_bind_param(statement, bind))
        fail(mysql_stmt_error(statement));
}

static void execute(void) {
    if (mysql_stmt_execute(statement))
        fail(mysql_stmt_error(statement));
    if (mysql_stmt_affected_rows(statement) != rows)
        fail("wrong number of affected rows");
}

static void run_rows(void) {
    for (unsigned i = 0; i < rows * COLUMNS; i++)
        values[i] = next_value++;
    execute();
}

static void run_arrays(void) {
    for (unsigned row = 0; row < rows; row++)
        for (unsigned column = 0; column < COLUMNS; column++)
            values[column * rows + row] = next_value++;
    execute();
}

static int load_init(void **state, const char *name, void *user) {
    (void)name;
    (void)user;
    static unsigned row;
    row = 0;
    *state = &row;
    return 0;
}

static char *digits(char *to, int32_t value) {
    char reversed[12];
    int count = 0;
    do
        reversed[count++] = '0' + value % 10;
    while (value /= 10);
    while (count)
        *to++ = reversed[--count];
    return to;
}

static int load_read(void *state, char *buffer, unsigned length) {
    unsigned *row = state;
    char *to = buffer;
    for (; *row < rows && buffer + length - to >= ROW_TEXT_MOST; ++*row) {
        for (unsigned column = 0; column < COLUMNS; column++) {
            to = digits(to, *row * COLUMNS + column);
            *to++ = column == COLUMNS - 1 ? '\n' : '\t';
        }
    }
    return to - buffer;
}

static void load_end(void *state) { (void)state; }

static int load_error(void *state, char *text, unsigned length) {
    (void)state;
    snprintf(text, length, "the text could not be made");
    return 1;
}

static void run_load(void) {
    query("LOAD DATA LOCAL INFILE 'memory' INTO TABLE test");
    if (mysql_affected_rows(connection) != rows)
        fail("wrong number of affected rows");
}

int main(int count, char **arguments) {
    if (count == 2 && !strcmp(arguments[1], "version")) {
        printf("libmariadb %s\n", mysql_get_client_info());
        return 0;
    }
    if (count != 8) {
        fprintf(stderr, "jet version | jet HOST PORT USER DATABASE strict|multi|array|load ROWS PROCESSOR\n");
        return 2;
    }

    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *wire = arguments[5];
    int processor = atoi(arguments[7]);
    rows = strtoul(arguments[6], NULL, 10);
    if (processor >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(processor, &set);
        sched_setaffinity(0, sizeof set, &set);
    }

    unsigned on = 1;
    connection = mysql_init(NULL);
    mysql_options(connection, MYSQL_OPT_LOCAL_INFILE, &on);
    mysql_options(connection, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (!mysql_real_connect(connection, arguments[1], arguments[3], getenv("JET_PASSWORD"), arguments[4], strtoul(arguments[2], NULL, 10), NULL, 0))
        fail(mysql_error(connection));

    void (*run)(void) = run_rows;
    if (!strcmp(wire, "strict") || !strcmp(wire, "multi")) {
        prepare(rows);
        bind_rows(rows);
    } else if (!strcmp(wire, "array")) {
        prepare(1);
        bind_arrays();
        run = run_arrays;
    } else if (!strcmp(wire, "load")) {
        mysql_set_local_infile_handler(connection, load_init, load_read, load_end, load_error, NULL);
        run = run_load;
    } else {
        fail("unknown wire");
    }

    puts("ready");
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        unsigned operations;
        if (!strcmp(line, "begin\n")) {
            query("START TRANSACTION");
            puts("begun");
        } else if (sscanf(line, "run %u", &operations) == 1) {
            double wall_before = wall(), cpu_before = cpu();
            for (unsigned i = 0; i < operations; i++)
                run();
            double wall_after = wall();
            printf("%.1f %.1f\n", wall_after - wall_before, cpu() - cpu_before);
        } else if (!strcmp(line, "end\n")) {
            query("COMMIT");
            query("TRUNCATE TABLE test");
            puts("ended");
        }
    }

    if (statement)
        mysql_stmt_close(statement);
    mysql_close(connection);
    return 0;
}
