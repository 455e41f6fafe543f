// libnvrtc: compiles kernels with g++ into a shared object that cuModuleLoadData of the emulator takes.
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))

namespace {

enum Result {
    SUCCESS = 0,
    CREATION_FAILURE = 2,
    INVALID_INPUT = 3,
    INVALID_PROGRAM = 4,
    COMPILATION = 6,
    INTERNAL = 11,
};

const char* const RESULTS[] = {
    "NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT",
    "NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION",
    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE", "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION", "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "NVRTC_ERROR_INTERNAL_ERROR",
};

const int ARCHITECTURES[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
constexpr int ARCHITECTURE_COUNT = sizeof ARCHITECTURES / sizeof *ARCHITECTURES;

struct Program {
    std::string source, name, log, image;
};

struct Kernel {
    std::string name, bound;  // the bound is the first argument of __launch_bounds__, or empty
};

using Words = std::vector<std::string>;

// Every operation rounds once, as in CUDA with --fmad=false; buffers may be read under several types.
const Words FLAGS = {"-std=c++17", "-O2", "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing",
                     "-fno-semantic-interposition", "-fno-gnu-unique", "-fno-exceptions", "-fPIC", "-w"};

std::string read_file(const std::string& path) {
    std::string text;
    FILE* file = fopen(path.c_str(), "rb");
    if (!file) return text;
    char part[65536];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;) text.append(part, got);
    fclose(file);
    return text;
}

bool write_file(const std::string& path, const std::string& text) {
    FILE* file = fopen(path.c_str(), "wb");
    if (!file) return false;
    bool whole = fwrite(text.data(), 1, text.size(), file) == text.size();
    return fclose(file) == 0 && whole;
}

/// The folder of this library; emulator.h lies beside it.
std::string home() {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void*>(&home), &info)) return ".";
    char* path = realpath(info.dli_fname, nullptr);
    std::string file = path ? path : info.dli_fname;
    free(path);
    return file.substr(0, file.rfind('/'));
}

/// Runs g++ with its messages in `log`; true if it succeeds.
bool compiler(const Words& words, const std::string& log) {
    std::vector<char*> arguments{const_cast<char*>("g++")};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t child = 0;
    int failed = posix_spawnp(&child, "g++", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) {
        write_file(log, std::string("g++ does not start: ") + strerror(failed));
        return false;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool in_word(char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The text in the brackets that open at `open`.
std::string bracketed(const std::string& text, size_t open) {
    int depth = 0;
    for (size_t at = open; at < text.size(); at++) {
        if (text[at] == '(') depth++;
        if (text[at] == ')' && --depth == 0) return text.substr(open + 1, at - open - 1);
    }
    return "";
}

/// `__global__ [__launch_bounds__(…)] void NAME(` in preprocessed text, the words in any order before the name.
std::vector<Kernel> kernels_of(const std::string& text) {
    const std::string mark = "__global__", bounds = "__launch_bounds__";
    std::vector<Kernel> found;
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
        at += mark.size();
        Kernel kernel;
        while (at < text.size() && text[at] != ';' && text[at] != '{') {
            if (!in_word(text[at])) {
                at++;
                continue;
            }
            size_t end = at;
            while (end < text.size() && in_word(text[end])) end++;
            std::string word = text.substr(at, end - at);
            size_t open = text.find_first_not_of(" \t\n", end);
            at = end;
            if (open == std::string::npos || text[open] != '(') continue;
            std::string inner = bracketed(text, open);
            if (word == bounds) {
                int depth = 0;
                size_t comma = 0;
                for (; comma < inner.size() && (depth > 0 || inner[comma] != ','); comma++)
                    depth += inner[comma] == '(' ? 1 : inner[comma] == ')' ? -1 : 0;
                kernel.bound = inner.substr(0, comma);
            } else if (word != "__attribute__") {
                kernel.name = word;
                break;
            }
            at = open + inner.size() + 2;
        }
        bool seen = false;  // declared before it is defined
        for (const Kernel& other : found) seen = seen || other.name == kernel.name;
        if (!kernel.name.empty() && !seen) found.push_back(kernel);
    }
    return found;
}

/// For every kernel a loop over the block's threads with the kernel inlined into it.
std::string entries(const std::vector<Kernel>& kernels) {
    std::string text = "\n# 1 \"entries\"\n"
                       "extern \"C\" { extern const unsigned long emu_argument_bytes = sizeof(Args); }\n";
    for (const Kernel& kernel : kernels) {
        text += "extern \"C\" void emu_run_" + kernel.name + "(const void* a, EmuBlock* b) { ";
        text += "emu_each_thread(b, [a] { " + kernel.name + "(*static_cast<const Args*>(a)); }); }\n";
        if (!kernel.bound.empty())
            text += "extern \"C\" { extern const unsigned emu_bound_" + kernel.name + " = (" + kernel.bound + "); }\n";
    }
    return text;
}

Words with_flags(Words words, const Words& options) {
    words.insert(words.begin(), FLAGS.begin(), FLAGS.end());
    for (const std::string& option : options)
        if (option.compare(0, 2, "-D") == 0) words.push_back(option);
    return words;
}

bool build(Program& program, const Words& options, const std::string& folder) {
    std::string source = folder + "/" + program.name, whole = folder + "/whole.cpp", log = folder + "/log",
                object = folder + "/kernels.so";
    Words first = with_flags({"-E", "-x", "c++", "-include", home() + "/emulator.h", source, "-o", whole}, options);
    Words second = with_flags({"-D__global__=", "-D__launch_bounds__(...)=", "-shared", whole, "-o", object}, {});
    bool done = write_file(source, program.source) && compiler(first, log);
    if (done) {
        std::string text = read_file(whole);
        done = write_file(whole, text + entries(kernels_of(text))) && compiler(second, log);
    }
    program.log = read_file(log);
    if (done) program.image = read_file(object);
    for (const std::string& path : {source, whole, log, object}) unlink(path.c_str());
    return done && !program.image.empty();
}

/// Programs compiled before, by any process: beside the library, under a hash of all that went into them.
std::string kept_path(const Program& program, const Words& options) {
    static const std::string fixed = [] {
        std::string text = read_file(home() + "/emulator.h") + read_file(home() + "/abi.h");
        for (const std::string& flag : FLAGS) text += flag + '\n';
        return text;
    }();
    std::string text = fixed + program.source;
    for (const std::string& option : options) text += '\n' + option;
    uint64_t hash[2] = {0xcbf29ce484222325u, 0x9e3779b97f4a7c15u};
    for (unsigned char byte : text) {
        hash[0] = (hash[0] ^ byte) * 0x100000001b3u;
        hash[1] = (hash[1] + byte) * 0xd6e8feb86659fd93u;
        hash[1] ^= hash[1] >> 32;
    }
    char name[64];
    snprintf(name, sizeof name, "/kernels-%016llx%016llx.so", static_cast<unsigned long long>(hash[0]),
             static_cast<unsigned long long>(hash[1]));
    return home() + name;
}

void keep(const std::string& path, const std::string& image) {
    std::string temporary = path + "." + std::to_string(getpid());
    if (!write_file(temporary, image) || rename(temporary.c_str(), path.c_str()) != 0) unlink(temporary.c_str());
}

/// While it lives, no other process compiles the same program: the second finds what the first has kept.
struct Turn {
    int file;
    explicit Turn(const std::string& path) : file(open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
        if (file >= 0) flock(file, LOCK_EX);
    }
    ~Turn() {
        if (file >= 0) close(file);
    }
};

}  // namespace

API int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 0;
    return SUCCESS;
}

API const char* nvrtcGetErrorString(int result) {
    return result >= 0 && result <= INTERNAL ? RESULTS[result] : "NVRTC_ERROR unknown";
}

API int nvrtcGetNumSupportedArchs(int* count) {
    *count = ARCHITECTURE_COUNT;
    return SUCCESS;
}

API int nvrtcGetSupportedArchs(int* architectures) {
    memcpy(architectures, ARCHITECTURES, sizeof ARCHITECTURES);
    return SUCCESS;
}

API int nvrtcCreateProgram(Program** program, const char* source, const char* name, int headers, const char* const*,
                           const char* const*) {
    if (!program || !source) return INVALID_INPUT;
    if (headers != 0) return CREATION_FAILURE;
    std::string file = name ? name : "default_program";
    for (char& c : file)
        if (!in_word(c) && c != '.' && c != '-') c = '_';
    *program = new Program{source, "source-" + file, "", ""};
    return SUCCESS;
}

API int nvrtcCompileProgram(Program* program, int count, const char* const* words) {
    if (!program) return INVALID_PROGRAM;
    Words options(words, words + count);
    const char* fail = getenv("HALFSCOPE_EMULATOR_FAIL_COMPILE");
    if (fail && !strcmp(fail, "1")) {
        program->log = "the emulator was asked to fail this compilation";
        return COMPILATION;
    }
    std::string kept = kept_path(*program, options);
    program->log.clear();
    program->image = read_file(kept);
    if (!program->image.empty()) return SUCCESS;
    Turn turn(kept);
    program->image = read_file(kept);
    if (!program->image.empty()) return SUCCESS;
    const char* parent = getenv("TMPDIR");
    std::string folder = std::string(parent && *parent ? parent : "/tmp") + "/cuda-emulator-XXXXXX";
    if (!mkdtemp(folder.data())) {
        program->log = "no temporary folder: " + folder;
        return INTERNAL;
    }
    bool built = build(*program, options, folder);
    rmdir(folder.c_str());
    if (!built) return COMPILATION;
    keep(kept, program->image);
    return SUCCESS;
}

API int nvrtcGetProgramLogSize(Program* program, size_t* size) {
    if (!program) return INVALID_PROGRAM;
    *size = program->log.size() + 1;
    return SUCCESS;
}

API int nvrtcGetProgramLog(Program* program, char* log) {
    if (!program) return INVALID_PROGRAM;
    memcpy(log, program->log.c_str(), program->log.size() + 1);
    return SUCCESS;
}

API int nvrtcGetCUBINSize(Program* program, size_t* size) {
    if (!program || program->image.empty()) return INVALID_PROGRAM;
    *size = program->image.size();
    return SUCCESS;
}

API int nvrtcGetCUBIN(Program* program, char* image) {
    if (!program || program->image.empty()) return INVALID_PROGRAM;
    memcpy(image, program->image.data(), program->image.size());
    return SUCCESS;
}

// The same bytes under both names: cuModuleLoadData tells by the header what it is given.
API int nvrtcGetPTXSize(Program* program, size_t* size) { return nvrtcGetCUBINSize(program, size); }
API int nvrtcGetPTX(Program* program, char* image) { return nvrtcGetCUBIN(program, image); }

API int nvrtcDestroyProgram(Program** program) {
    if (!program || !*program) return INVALID_PROGRAM;
    delete *program;
    *program = nullptr;
    return SUCCESS;
}
