#include "source/pool.h"

#include "base/arena.h"
#include "base/set.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_IDLE = 48 };

struct pooled {
    CXTranslationUnit unit;
    struct text key; /* the file as it was, and how it was read */
    size_t users;
    size_t last_use;
};

static struct {
    CXIndex index;
    struct pooled *list;
    size_t count, capacity, uses;
    struct set *files; /* that were read */
} pool;

static struct text make_key(const char *file, const char *const *arguments, int count,
                            enum CXTranslationUnit_Flags record)
{
    struct text key = {0};
    struct stat status = {0};
    stat(file, &status); /* one that is not there has a key, too: it is an error to be told */
    const long long numbers[] = {(long long)record,     (long long)status.st_dev, (long long)status.st_ino,
                                 status.st_size,        status.st_mtim.tv_sec,    status.st_mtim.tv_nsec,
                                 status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
    text_append(&key, (const char *)numbers, sizeof numbers);
    text_append(&key, file, strlen(file) + 1);
    for (int i = 0; i < count; i++)
        text_append(&key, arguments[i], strlen(arguments[i]) + 1);
    return key;
}

static struct pooled *find(const struct text *key)
{
    for (size_t i = 0; i < pool.count; i++)
        if (pool.list[i].key.length == key->length && !memcmp(pool.list[i].key.data, key->data, key->length))
            return &pool.list[i];
    return NULL;
}

static void forget(struct pooled *pooled)
{
    clang_disposeTranslationUnit(pooled->unit);
    text_free(&pooled->key);
    *pooled = pool.list[--pool.count];
}

static void forget_oldest(void)
{
    struct pooled *oldest = NULL;
    size_t idle = 0;
    for (size_t i = 0; i < pool.count; i++) {
        struct pooled *pooled = &pool.list[i];
        if (pooled->users)
            continue;
        idle++;
        if (!oldest || pooled->last_use < oldest->last_use)
            oldest = pooled;
    }
    if (idle > MOST_IDLE)
        forget(oldest);
}

static void remember_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData ignored)
{
    CXString name = clang_getFileName(file);
    const char *path = clang_getCString(name);
    (void)stack, (void)depth, (void)ignored;
    set_add(pool.files, path, strlen(path) + 1);
    clang_disposeString(name);
}

static void remember_files(CXTranslationUnit unit)
{
    pool.files = pool.files ? pool.files : set_create();
    clang_getInclusions(unit, remember_file, NULL);
}

void pool_visit_files(void (*visit)(void *context, const char *path), void *context)
{
    for (size_t i = 0; pool.files && i < set_count(pool.files); i++)
        visit(context, set_get(pool.files, i));
}

enum CXErrorCode pool_take(const char *file, const char *const *arguments, int count,
                           enum CXTranslationUnit_Flags record, CXTranslationUnit *unit)
{
    struct text key = make_key(file, arguments, count, record);
    struct pooled *found = find(&key);
    if (found) {
        text_free(&key);
        found->users++;
        *unit = found->unit;
        return CXError_Success;
    }
    if (!pool.index)
        pool.index = clang_createIndex(0, 0);
    enum CXErrorCode code = clang_parseTranslationUnit2(pool.index, file, arguments, count, NULL, 0, record, unit);
    if (code != CXError_Success) {
        text_free(&key);
        return code;
    }
    pool.list = array_reserve(pool.list, &pool.capacity, pool.count + 1, sizeof *pool.list);
    pool.list[pool.count++] = (struct pooled){.unit = *unit, .key = key, .users = 1};
    remember_files(*unit);
    return code;
}

void pool_give_back(CXTranslationUnit unit)
{
    size_t i = 0;
    while (i < pool.count && pool.list[i].unit != unit)
        i++;
    if (i == pool.count) { /* of a text */
        clang_disposeTranslationUnit(unit);
        return;
    }
    pool.list[i].users--;
    pool.list[i].last_use = ++pool.uses;
    forget_oldest();
}

void pool_empty(void)
{
    for (size_t i = pool.count; i-- > 0;)
        if (!pool.list[i].users)
            forget(&pool.list[i]);
}
